/** Answers of a real server to the example requests, written by test/http/examples.test.ts. Not edited by hand. */
export const EXAMPLE_ANSWERS: Readonly<Record<string, string>> = {
  health:
    '{"success":true,"data":{"status":"ok","service":"hsapi","foundation_schema_ready":true,"api_version":"1.0.0"},"meta":{"timestamp":"2026-05-04T12:00:00+00:00","api_version":"1.0.0"}}',
  record:
    '{"success":true,"data":{"hs_code":"851713","description":{"en":"Smartphones","ar":"هواتف ذكية"},"level":6,"parent_id":18517,"tariff_rate":0,"is_active":true},"meta":{"timestamp":"2026-05-04T12:00:00+00:00","api_version":"1.0.0"}}',
  recordIncluding:
    '{"success":true,"data":{"hs_code":"851713","description":{"en":"Smartphones","ar":"هواتف ذكية"},"level":6,"parent_id":18517,"tariff_rate":0,"is_active":true,"path":[{"hs_code":"85","description":{"en":"Electrical machinery and equipment, sound and television recording and reproducing apparatus, and their parts","ar":"آلات ومعدات كهربائية وأجهزة تسجيل واستعادة الصوت والصورة التلفزيونية وأجزاؤها"}},{"hs_code":"8517","description":{"en":"Telephones (smartphones and others), and other apparatus for sending or receiving voice, images or data, wired or wireless, not of 8443, 8525, 8527 or 8528","ar":"هواتف ذكية وغيرها، وأجهزة أخرى لإرسال أو استقبال الصوت والصورة والبيانات سلكيا أو لاسلكيا، عدا أجهزة البنود 8443 و8525 و8527 و8528"}}],"editions":{"2017":["851712"],"2012":["851712"]},"rate":{"from":"8517","source":"WTO Information Technology Agreement product list","certainty":"published"}},"meta":{"timestamp":"2026-05-04T12:00:00+00:00","api_version":"1.0.0"}}',
  children:
    '{"success":true,"data":[{"hs_code":"090210","description":{"en":"Green tea (unfermented) in packings of 3 kg or less","ar":"شاي أخضر (غير مخمر) في عبوات لا تزيد على 3 كجم"},"level":6,"parent_id":10902,"tariff_rate":0,"is_active":true},{"hs_code":"090220","description":{"en":"Green tea (unfermented) in packings of more than 3 kg","ar":"شاي أخضر (غير مخمر) في عبوات تزيد على 3 كجم"},"level":6,"parent_id":10902,"tariff_rate":0,"is_active":true}],"meta":{"total":4,"limit":2,"offset":0,"count":2,"timestamp":"2026-05-04T12:00:00+00:00","api_version":"1.0.0"}}',
  lines:
    '{"success":true,"data":[{"hs_code":"010121100001","description":{"en":"Live pure-bred Arabian horses for breeding, males","ar":"خيول عربية أصيلة حية للتربية، ذكور"},"level":12,"parent_id":101012110,"tariff_rate":0,"is_active":true},{"hs_code":"010121100002","description":{"en":"Live pure-bred Arabian horses for breeding, females","ar":"خيول عربية أصيلة حية للتربية، إناث"},"level":12,"parent_id":101012110,"tariff_rate":0,"is_active":true}],"meta":{"total":4,"limit":2,"offset":0,"count":2,"timestamp":"2026-05-04T12:00:00+00:00","api_version":"1.0.0"}}',
  chapters:
    '{"success":true,"data":[{"section":"I","title":{"en":"Live animals and products of animals","ar":"الحيوانات الحية ومنتجاتها"},"chapters":[{"hs_code":"01","description":{"en":"Live animals (mammals, birds, reptiles, insects and others), other than fish and aquatic invertebrates","ar":"حيوانات حية (ثدييات وطيور وزواحف وحشرات وغيرها)، عدا الأسماك واللافقاريات المائية"}},{"hs_code":"02","description":{"en":"Meat and edible meat offal, fresh, chilled, frozen, salted, dried or smoked","ar":"لحوم وأحشاء صالحة للأكل، طازجة أو مبردة أو مجمدة أو مملحة أو مجففة أو مدخنة"}},{"hs_code":"03","description":{"en":"Fish, crustaceans, molluscs and other aquatic invertebrates","ar":"أسماك وقشريات ورخويات ولافقاريات مائية أخرى"}},{"hs_code":"04","description":{"en":"Dairy products, birds\' eggs, natural honey and other edible goods from animals","ar":"منتجات الألبان وبيض الطيور والعسل الطبيعي ومنتجات غذائية أخرى من أصل حيواني"}},{"hs_code":"05","description":{"en":"Raw products of animal origin not covered elsewhere, such as hair, bristles, guts, feathers, bones, ivory, coral and semen","ar":"منتجات خام من أصل حيواني غير واردة في مكان آخر مثل الشعر والهلب والأمعاء والريش والعظام والعاج والمرجان والسائل المنوي"}}]}],"meta":{"timestamp":"2026-05-04T12:00:00+00:00","api_version":"1.0.0"}}',
  searchEnglish:
    '{"success":true,"data":[{"hs_code":"091020","description":{"en":"Saffron, in threads or powder","ar":"زعفران، خيوطا أو مطحونا"},"tariff_rate":5},{"hs_code":"060110","description":{"en":"Dormant bulbs, tubers, tuberous roots, corms, crowns and rhizomes","ar":"بصيلات ودرنات وجذور درنية وكورمات وتيجان وريزومات، في طور السكون"},"tariff_rate":0}],"meta":{"total":11,"limit":2,"offset":0,"count":2,"timestamp":"2026-05-04T12:00:00+00:00","api_version":"1.0.0"}}',
  searchArabic:
    '{"success":true,"data":[{"hs_code":"091020","description":{"en":"Saffron, in threads or powder","ar":"زعفران، خيوطا أو مطحونا"},"tariff_rate":5},{"hs_code":"060110","description":{"en":"Dormant bulbs, tubers, tuberous roots, corms, crowns and rhizomes","ar":"بصيلات ودرنات وجذور درنية وكورمات وتيجان وريزومات، في طور السكون"},"tariff_rate":0}],"meta":{"total":11,"limit":2,"offset":0,"count":2,"timestamp":"2026-05-04T12:00:00+00:00","api_version":"1.0.0"}}',
  suggestEnglish:
    '{"success":true,"data":[{"text":"laptops","lang":"en","hs_code":"847130","description":{"en":"Portable computers up to 10 kg with processor, keyboard and display (laptops, tablets)","ar":"أجهزة حاسب محمولة لا يتجاوز وزنها 10 كجم بمعالج ولوحة مفاتيح وشاشة (لابتوب وتابلت)"}},{"text":"laptop bags","lang":"en","hs_code":"420212","description":{"en":"Trunks, suitcases, briefcases, vanity cases, school bags and similar, with outer surface of plastics or textile","ar":"صناديق سفر وحقائب سفر ووثائق وتجميل ومدرسية وما يماثلها، سطحها الخارجي من بلاستيك أو نسيج"}}],"meta":{"count":2,"timestamp":"2026-05-04T12:00:00+00:00","api_version":"1.0.0"}}',
  suggestArabic:
    '{"success":true,"data":[{"text":"لابتوب","lang":"ar","hs_code":"847130","description":{"en":"Portable computers up to 10 kg with processor, keyboard and display (laptops, tablets)","ar":"أجهزة حاسب محمولة لا يتجاوز وزنها 10 كجم بمعالج ولوحة مفاتيح وشاشة (لابتوب وتابلت)"}},{"text":"لابسا","lang":"ar","hs_code":"340231","description":{"en":"Linear alkylbenzene sulphonic acids and their salts (anionic surfactants)","ar":"أحماض ألكيل بنزين سلفونيك خطية وأملاحها (مواد أنيونية ذات نشاط سطحي)"}}],"meta":{"count":2,"timestamp":"2026-05-04T12:00:00+00:00","api_version":"1.0.0"}}',
  resolved:
    '{"success":true,"data":[{"input":"8517.13","status":"normalised","hs_code":"851713","declarable":false,"lines":1,"nearest":null,"candidates":[],"record":{"hs_code":"851713","description":{"en":"Smartphones","ar":"هواتف ذكية"},"level":6,"parent_id":18517,"tariff_rate":0,"is_active":true}},{"input":"10121","status":"normalised","hs_code":"010121","declarable":false,"lines":4,"nearest":null,"candidates":[],"record":{"hs_code":"010121","description":{"en":"Live pure-bred horses for breeding","ar":"خيول أصيلة حية للتربية"},"level":6,"parent_id":10101,"tariff_rate":0,"is_active":true}}],"meta":{"count":2,"timestamp":"2026-05-04T12:00:00+00:00","api_version":"1.0.0"}}',
  resolvedMany:
    '{"success":true,"data":[{"input":"300211","status":"moved","hs_code":"382211","declarable":false,"lines":1,"nearest":null,"candidates":["382211"],"record":{"hs_code":"382211","description":{"en":"Malaria test kits and diagnostic reagents","ar":"أطقم وكواشف فحص الملاريا"},"level":6,"parent_id":13822,"tariff_rate":0,"is_active":true}},{"input":"see list","status":"invalid","hs_code":null,"declarable":false,"lines":0,"nearest":null,"candidates":[],"record":null,"reason":"It contains characters other than digits."}],"meta":{"count":2,"timestamp":"2026-05-04T12:00:00+00:00","api_version":"1.0.0"}}',
  correlation:
    '{"success":true,"data":{"edition":"2017","code":"300211","relation":"moved","targets":[{"hs_code":"382211","description":{"en":"Malaria test kits and diagnostic reagents","ar":"أطقم وكواشف فحص الملاريا"},"level":6,"parent_id":13822,"tariff_rate":0,"is_active":true}]},"meta":{"timestamp":"2026-05-04T12:00:00+00:00","api_version":"1.0.0"}}',
  tariff:
    '{"success":true,"data":{"hs_code":"870323","product":"Passenger vehicles with a petrol or other spark-ignition engine only, over 1,500 up to 3,000 cm3","calculation":{"declared_value":20000,"currency":"AED","import_duty_rate":5,"import_duty_amount":1000,"vat_rate":5,"vat_amount":1050,"total_duties_taxes":2050,"landed_cost":22050},"notes":"Rates are indicative only and must be verified with the customs authority for an official assessment."},"meta":{"timestamp":"2026-05-04T12:00:00+00:00","api_version":"1.0.0"}}',
  invoice:
    '{"success":true,"data":{"items":[{"hs_code":"870323","product":"Passenger vehicles with a petrol or other spark-ignition engine only, over 1,500 up to 3,000 cm3","calculation":{"declared_value":20000,"currency":"AED","import_duty_rate":5,"import_duty_amount":1000,"vat_rate":5,"vat_amount":1050,"total_duties_taxes":2050,"landed_cost":22050},"notes":"Rates are indicative only and must be verified with the customs authority for an official assessment."},{"hs_code":"851799","error":{"code":"not_found","message":"HS code 851799 is not in the dataset; the nearest code above it is 8517."}}],"totals":{"declared_value":20000,"import_duty_amount":1000,"vat_amount":1050,"total_duties_taxes":2050,"landed_cost":22050}},"meta":{"timestamp":"2026-05-04T12:00:00+00:00","api_version":"1.0.0"}}',
  dataset:
    '{"success":true,"data":{"edition":"HS 2022","version":"2.4.0","snapshot":"0123456789abcdef","records":29407,"levels":{"2":97,"4":1232,"6":5616,"8":8508,"12":13954},"line_digits":[8,12],"vat_rate":5,"languages":["en","ar"],"rates":[0,5,50,100]},"meta":{"timestamp":"2026-05-04T12:00:00+00:00","api_version":"1.0.0"}}',
  contract:
    '{"openapi":"3.1.0","servers":[{"url":"/","description":"This server"}],"security":[{"apiKey":[]},{"marketplaceKey":[]},{"bearer":[]}]}',
  missingApiKey:
    '{"success":false,"error":{"code":"missing_api_key","message":"Send your API key in the X-Api-Key header, or as Authorization: Bearer."},"meta":{"timestamp":"2026-05-04T12:00:00+00:00","api_version":"1.0.0"}}',
  invalidApiKey:
    '{"success":false,"error":{"code":"invalid_api_key","message":"This API key is unknown or has been revoked."},"meta":{"timestamp":"2026-05-04T12:00:00+00:00","api_version":"1.0.0"}}',
  apiKeyExpired:
    '{"success":false,"error":{"code":"api_key_expired","message":"This API key has passed its expiry date."},"meta":{"timestamp":"2026-05-04T12:00:00+00:00","api_version":"1.0.0"}}',
  rateLimitExceeded:
    '{"success":false,"error":{"code":"rate_limit_exceeded","message":"This key has used up its requests for now; Retry-After says in how many seconds to try again."},"meta":{"timestamp":"2026-05-04T12:00:00+00:00","api_version":"1.0.0"}}',
  invalidCode:
    '{"success":false,"error":{"code":"invalid_code","message":"An HS code is 2 to 14 digits without dots or spaces; did you mean 851713?"},"meta":{"timestamp":"2026-05-04T12:00:00+00:00","api_version":"1.0.0"}}',
  invalidValue:
    '{"success":false,"error":{"code":"invalid_value","message":"The value parameter must be a plain number from 0.01 to 999999999999.99 with at most 15 significant digits."},"meta":{"timestamp":"2026-05-04T12:00:00+00:00","api_version":"1.0.0"}}',
  queryTooShort:
    '{"success":false,"error":{"code":"query_too_short","message":"The q parameter must have at least 2 characters."},"meta":{"timestamp":"2026-05-04T12:00:00+00:00","api_version":"1.0.0"}}',
  invalidParameter:
    '{"success":false,"error":{"code":"invalid_parameter","message":"The parameter limit must be a whole number from 1 to 50.","details":{"parameter":"limit"}},"meta":{"timestamp":"2026-05-04T12:00:00+00:00","api_version":"1.0.0"}}',
  notFound:
    '{"success":false,"error":{"code":"not_found","message":"HS code 851799 is not in the dataset; the nearest code above it is 8517.","details":{"nearest":"8517"}},"meta":{"timestamp":"2026-05-04T12:00:00+00:00","api_version":"1.0.0"}}',
  notFoundMoved:
    '{"success":false,"error":{"code":"not_found","message":"HS code 300211 is not in the dataset; an earlier edition had it, and it is now 382211.","details":{"nearest":"3002","moved_to":["382211"]}},"meta":{"timestamp":"2026-05-04T12:00:00+00:00","api_version":"1.0.0"}}',
  routeNotFound:
    '{"success":false,"error":{"code":"route_not_found","message":"There is nothing at this path; /openapi.json lists what there is."},"meta":{"timestamp":"2026-05-04T12:00:00+00:00","api_version":"1.0.0"}}',
  methodNotAllowed:
    '{"success":false,"error":{"code":"method_not_allowed","message":"This path answers GET and HEAD only."},"meta":{"timestamp":"2026-05-04T12:00:00+00:00","api_version":"1.0.0"}}',
  bodyTooLarge:
    '{"success":false,"error":{"code":"body_too_large","message":"A body may have 65536 bytes at most."},"meta":{"timestamp":"2026-05-04T12:00:00+00:00","api_version":"1.0.0"}}',
  unsupportedMediaType:
    '{"success":false,"error":{"code":"unsupported_media_type","message":"A body must be JSON, with the header Content-Type: application/json."},"meta":{"timestamp":"2026-05-04T12:00:00+00:00","api_version":"1.0.0"}}',
  internalError:
    '{"success":false,"error":{"code":"internal_error","message":"The server made a mistake; it has been logged.","details":{"request_id":"5f0c2a7e-3d41"}},"meta":{"timestamp":"2026-05-04T12:00:00+00:00","api_version":"1.0.0"}}',
  dbUnavailable:
    '{"success":false,"error":{"code":"db_unavailable","message":"The dataset is still being loaded; try again in a moment."},"meta":{"timestamp":"2026-05-04T12:00:00+00:00","api_version":"1.0.0"}}',
}
